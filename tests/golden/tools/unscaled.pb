
"
imagesPlaceholder*
dtype0

outRelubn*
T0
ä
weightsConst*Ä
valueºB·" œÄ0?>_(?…Z9éª>º=9>e}>”ç>Æ‹¡>äÑò>?ïG?¸[{?ÀS­>\AM?²=•<?G¯?‹ñL?¤n>€89>ªu?Ö+ˆ?èÎÅ>Áö}? ¾¹?Q?Ë/Ð=<Â/=á]V>a¡?í¿&>ÝÄ>WŽ’?ö?&TZ?ÿzç>c‘?ÞC?Ö³<#þR?Áœ?p9‰?Àí>h}8?²ü=$õû>±[?Ši×>&÷ó>ß%ó=Ì£½<Œï>?…>ÒÂ>o^P?G’G=¾­/?Ã%>ö9?„X€?Ã‚->‘Á> |T?óýè>†6|=•D?j¯Œ?‰´ð>…?åú$?ê‰Ž?ÿ·I>*
dtype0
g
convConv2Dimagesweights*
strides
*
paddingSAME*
data_formatNHWC*
T0
S
conv_bn_offsetConst*-
value$B""¯”›>ìl¼½JC¾>¥pß¾êˆ½è¼
¿*
dtype0
C
bnBiasAddconvconv_bn_offset*
T0*
data_formatNHWC